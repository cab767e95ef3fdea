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
  /** Under which it is listed; by default under none. */
  readonly group?: string;
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
      {options.map(({ group = '' }, index) => {
        if (group === (options[index - 1]?.group ?? '') && index > 0) return null;
        const names = options
          .filter((option) => (option.group ?? '') === group)
          .map(({ value, name, lang }) => (
            <option key={value} value={value} lang={lang}>
              {name}
            </option>
          ));
        if (group === '') return names;
        return (
          <optgroup key={group} label={group}>
            {names}
          </optgroup>
        );
      })}
    </select>
  );
}
