/** A sample of a shade for a legend; undefined: of what is not known. */
export function Swatch({ shade }: { readonly shade: number | undefined }) {
  return (
    <svg className="swatch" viewBox="0 0 14 14" aria-hidden="true">
      <rect
        x="0.5"
        y="0.5"
        width="13"
        height="13"
        rx="3"
        className={shade === undefined ? undefined : `shade-${shade}`}
      />
    </svg>
  );
}
