export default function SettingsPage(_: { readonly part?: string | undefined }) {
  return null;
}
