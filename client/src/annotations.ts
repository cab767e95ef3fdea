/** What people write beside their statistics, and the views of the dashboard that they keep. */
import type { CallOptions, Connection } from './connection.ts';
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

const root = '/manage/v1';

export function annotationsOf(connection: Connection): Annotations {
  const get = async <Body>(path: string, query: object = {}, options: CallOptions = {}) =>
    (await connection.get<Body>(root + path, { ...query }, options)).body;
  const add = async <Body>(path: string, message: object, options: CallOptions = {}) => {
    const once = { ...options, idempotencyKey: crypto.randomUUID() };
    return (await connection.post<Body>(root + path, message, once)).body;
  };
  const change = async <Body>(path: string, message: object, options: CallOptions = {}) =>
    (await connection.change<Body>('PATCH', root + path, message, options)).body;
  const remove = async (path: string, options: CallOptions = {}) => {
    await connection.change('DELETE', root + path, undefined, options);
  };
  return {
    annotations: (parameters, options) => get('/annotations', parameters, options),
    addAnnotation: (fields, options) => add('/annotations', fields, options),
    changeAnnotation: (id, changes, options) => change(`/annotations/${id}`, changes, options),
    deleteAnnotation: (id, options) => remove(`/annotations/${id}`, options),
    savedViews: (page, options) => get('/views', page, options),
    addSavedView: (fields, options) => add('/views', fields, options),
    changeSavedView: (id, changes, options) => change(`/views/${id}`, changes, options),
    deleteSavedView: (id, options) => remove(`/views/${id}`, options),
  };
}
