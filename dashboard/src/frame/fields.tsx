/** Fields of forms, each with what the service says is wrong with it. */
import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { PlaymeterError } from '../../../client/src/index.ts';

interface FieldProps {
  /** As the interface calls the member. */
  readonly name: string;
  readonly label: string;
  readonly error: unknown;
  readonly what?: string | undefined;
  /** In the reader's language, in place of what the service says is wrong with it. */
  readonly complaint?: string | undefined;
}

interface Described {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

interface LabelledProps extends FieldProps {
  readonly children: (described: Described) => ReactNode;
}

function Labelled({ name, label, error, what, complaint, children }: LabelledProps) {
  const id = useId();
  const detail = detailOf(error, name);
  const [whatId, wrongId] = [`${id}what`, `${id}wrong`];
  const ids = [...(what ? [whatId] : []), ...(detail ? [wrongId] : [])].join(' ');
  return (
    <>
      <label htmlFor={id}>{label}</label>
      {children({
        ...{ id, name, 'aria-describedby': ids || undefined },
        'aria-invalid': detail ? true : undefined,
      })}
      {what && (
        <p id={whatId} className="quiet">
          {what}
        </p>
      )}
      {detail && complaint ? (
        <p id={wrongId} className="wrong">
          {complaint}
        </p>
      ) : (
        <Wrong id={wrongId} detail={detail} />
      )}
    </>
  );
}

interface WrongProps {
  readonly id?: string;
  readonly detail: string | undefined;
}

export function Wrong({ id, detail }: WrongProps) {
  if (detail === undefined) return null;
  return (
    <p id={id} className="wrong" lang="en">
      {detail}
    </p>
  );
}

/** Of a list, what is wrong with one of its items counts too. */
export function detailOf(error: unknown, name: string): string | undefined {
  if (!(error instanceof PlaymeterError)) return undefined;
  return error.errors.find(({ parameter }) => parameter.split('.')[0] === name)?.detail;
}

/** Whether what is wrong stands beside the fields. */
export function isMarked(error: unknown): boolean {
  return error instanceof PlaymeterError && error.errors.length > 0;
}

type TextFieldProps = FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, 'name' | 'id'>;

export function TextField({ name, label, error, what, complaint, ...input }: TextFieldProps) {
  return (
    <Labelled {...{ name, label, error, what, complaint }}>
      {(described) => <input {...described} {...input} />}
    </Labelled>
  );
}

interface ChoiceFieldProps<Value extends string> extends FieldProps {
  readonly options: readonly { readonly value: Value; readonly name: string }[];
  readonly value?: Value;
  readonly defaultValue?: Value;
  readonly onChoose?: (value: Value) => void;
}

export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { name, label, error, options, onChoose, value, defaultValue } = props;
  return (
    <Labelled {...{ name, label, error }}>
      {(described) => (
        <select
          {...described}
          {...(value === undefined ? { defaultValue } : { value })}
          onChange={({ target }) => onChoose?.(target.value as Value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
