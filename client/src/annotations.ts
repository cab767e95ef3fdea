/** What people write beside their statistics, and the views of the dashboard that they keep. */
import type { CallOptions } from './connection.ts';
import type {
  Annotation,
  AnnotationChanges,
  AnnotationFields,
  AnnotationList,
  AnnotationsParameters,
  SavedView,
  SavedViewChanges,
  SavedViewFields,
  SavedViewList,
  SavedViewsParameters,
} from './interface.ts';
import type { ManagementCalls } from './management-calls.ts';

export interface Annotations {
  /** By time; of a span, those that touch it. */
  annotations(parameters?: AnnotationsParameters, options?: CallOptions): Promise<AnnotationList>;
  addAnnotation(fields: AnnotationFields, options?: CallOptions): Promise<Annotation>;
  changeAnnotation(
    annotationId: number,
    changes: AnnotationChanges,
    options?: CallOptions,
  ): Promise<Annotation>;
  deleteAnnotation(annotationId: number, options?: CallOptions): Promise<void>;
  /** Your own, and those that are shared with the account. */
  savedViews(page?: SavedViewsParameters, options?: CallOptions): Promise<SavedViewList>;
  addSavedView(fields: SavedViewFields, options?: CallOptions): Promise<SavedView>;
  changeSavedView(
    viewId: number,
    changes: SavedViewChanges,
    options?: CallOptions,
  ): Promise<SavedView>;
  deleteSavedView(viewId: number, options?: CallOptions): Promise<void>;
}

export function annotationsOf({ get, add, change, remove }: ManagementCalls): Annotations {
  return {
    annotations: (parameters, options) => get('/annotations', parameters, options),
    addAnnotation: (fields, options) => add('/annotations', fields, options),
    changeAnnotation: (id, changes, options) =>
      change('PATCH', `/annotations/${id}`, changes, options),
    deleteAnnotation: (id, options) => remove(`/annotations/${id}`, options),
    savedViews: (page, options) => get('/views', page, options),
    addSavedView: (fields, options) => add('/views', fields, options),
    changeSavedView: (id, changes, options) => change('PATCH', `/views/${id}`, changes, options),
    deleteSavedView: (id, options) => remove(`/views/${id}`, options),
  };
}
