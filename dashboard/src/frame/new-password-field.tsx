import { useReader } from '../language.tsx';
import { TextField } from './fields.tsx';

interface NewPasswordFieldProps {
  readonly error: unknown;
  /** Of somebody who has none yet. */
  readonly isFirst?: boolean;
}

export function NewPasswordField({ error, isFirst }: NewPasswordFieldProps) {
  const { t } = useReader();
  return (
    <TextField
      {...{ name: 'password', label: t(isFirst ? 'person.password' : 'person.newPassword'), error }}
      what={t('person.password.what')}
      complaint={t('person.password.bad')}
      type="password"
      required
      minLength={10}
      autoComplete="new-password"
    />
  );
}
