import { useReader } from '../language.tsx';
import { TextField } from './fields.tsx';

interface NewPasswordFieldProps {
  readonly error: unknown;
}

export function NewPasswordField({ error }: NewPasswordFieldProps) {
  const { t } = useReader();
  return (
    <TextField
      {...{ name: 'password', label: t('person.newPassword'), error }}
      what={t('person.password.what')}
      complaint={t('person.password.bad')}
      type="password"
      required
      minLength={10}
      autoComplete="new-password"
    />
  );
}
