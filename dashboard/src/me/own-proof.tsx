import { TextField } from '../frame/fields.tsx';
import { useReader } from '../language.tsx';

interface OwnPasswordProps {
  readonly name?: string;
  readonly label?: string;
}

/** Not whoever sits down at the desk of somebody who is signed in. */
export function OwnPassword({ name = 'password', label }: OwnPasswordProps) {
  const { t } = useReader();
  return (
    <TextField
      {...{ name, label: label ?? t('me.formerPassword'), error: undefined }}
      type="password"
      required
      autoComplete="current-password"
    />
  );
}

/** Of the app, or one of the recovery codes. */
export function OwnCode() {
  const { t } = useReader();
  return (
    <TextField
      {...{ name: 'code', label: t('person.code'), error: undefined }}
      what={t('person.code.what')}
      required
      autoComplete="one-time-code"
      spellCheck={false}
    />
  );
}
