import { type FormEvent, useId } from 'react';
import type { Annotation } from '../../../client/src/index.ts';
import { Dialog } from '../frame/dialog.tsx';
import { ChoiceField, TextField } from '../frame/fields.tsx';
import { usePerson } from '../frame/person.tsx';
import { SubmitRow } from '../frame/save-row.tsx';
import { useChange } from '../frame/use-change.ts';
import { useReader } from '../language.tsx';
import { server } from '../server.ts';
import { usePackages } from '../whole-lists.ts';
import type { NoteDialogProps } from './note-dialog-props.ts';
import { instantOf, localTimeOf } from './zoned-time.ts';

const kinds = ['note', 'published', 'campaign', 'outage'] as const;
/** What a note is about, as the choice has it; a package by its number. */
const ofAccount = '';
const ofVideo = 'video';
const longestText = 300;

export default function NoteDialog({ annotation, at, accessKey, onClose }: NoteDialogProps) {
  const { t } = useReader();
  const { timeZone } = usePerson();
  const what = useId();
  const save = useChange(async (form: FormData) => {
    const fields = fieldsOf(form, timeZone);
    if (annotation) await server.manage.changeAnnotation(annotation.annotationId, fields);
    else await server.manage.addAnnotation({ ...fields, ...targetOf(form, accessKey) });
    return true;
  }, 'annotations');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (await save.mutateAsync(form).catch(() => false)) onClose();
  };
  const { error } = save;
  const timeIn = (instant: string | null) =>
    instant === null ? '' : localTimeOf(instant, timeZone);
  return (
    <Dialog title={t(annotation ? 'form.change' : 'note.add')} onClose={onClose}>
      <form className="fields" onSubmit={(event) => void submit(event)}>
        <TextField
          name="text"
          label={t('note.text')}
          error={error}
          required
          maxLength={longestText}
          defaultValue={annotation?.text}
        />
        <ChoiceField
          name="kind"
          label={t('note.kind')}
          error={error}
          defaultValue={annotation?.kind ?? 'note'}
          options={kinds.map((value) => ({ value, name: t(`note.kind.${value}`) }))}
        />
        {/* Within a field of a time there are several, whose names are the same in both. */}
        <fieldset aria-label={t('note.at')}>
          <TextField
            name="at"
            label={t('note.at')}
            error={error}
            type="datetime-local"
            required
            defaultValue={annotation ? timeIn(annotation.at) : at}
            aria-describedby={what}
          />
        </fieldset>
        <fieldset aria-label={t('note.until')}>
          <TextField
            name="until"
            label={t('note.until')}
            error={error}
            type="datetime-local"
            defaultValue={annotation ? timeIn(annotation.until) : ''}
            aria-describedby={what}
          />
        </fieldset>
        <p id={what} className="quiet">
          {t('note.zone', { zone: timeZone })}
        </p>
        {!annotation && <About accessKey={accessKey} error={error} />}
        <SubmitRow change={save} text={t('form.save')} />
      </form>
    </Dialog>
  );
}

interface AboutProps extends Pick<NoteDialogProps, 'accessKey'> {
  readonly error: unknown;
}

function About({ accessKey, error }: AboutProps) {
  const { t } = useReader();
  const { data: packages = [] } = usePackages();
  return (
    <ChoiceField
      name="about"
      label={t('note.about')}
      error={error}
      options={[
        ...(accessKey === undefined ? [] : [{ value: ofVideo, name: t('note.about.video') }]),
        { value: ofAccount, name: t('note.about.account') },
        ...packages.map(({ packageId, packageName }) => ({
          value: String(packageId),
          name: packageName,
        })),
      ]}
    />
  );
}

function fieldsOf(form: FormData, timeZone: string) {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const until = text('until');
  return {
    ...{ kind: text('kind') as Annotation['kind'], text: text('text') },
    at: instantOf(text('at'), timeZone),
    until: until === '' ? null : instantOf(until, timeZone),
  };
}

function targetOf(form: FormData, accessKey: string | undefined) {
  const about = String(form.get('about') ?? '');
  if (about === ofVideo && accessKey !== undefined) return { accessKey };
  return about === ofAccount ? {} : { packageId: Number(about) };
}
