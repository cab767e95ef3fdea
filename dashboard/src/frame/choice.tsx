interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  readonly onChoose: (value: Value) => void;
}

interface Option<Value extends string> {
  readonly value: Value;
  readonly name: string;
  /** The language of the name, if not the reader's. */
  readonly lang?: string;
}

/** The browser's own list of choices, named for screen readers alone. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, options, onChoose } = props;
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChoose(target.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} lang={option.lang}>
          {option.name}
        </option>
      ))}
    </select>
  );
}
