/** Proposed in a field that has its id as `list`. */
export function TimeZoneList({ id }: { readonly id: string }) {
  return (
    <datalist id={id}>
      {Intl.supportedValuesOf('timeZone').map((zone) => (
        <option key={zone} value={zone} />
      ))}
    </datalist>
  );
}
