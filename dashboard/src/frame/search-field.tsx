interface SearchFieldProps {
  /** What is searched. */
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export function SearchField({ label, text, onChange }: SearchFieldProps) {
  return (
    <input
      type="search"
      value={text}
      placeholder={label}
      aria-label={label}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
