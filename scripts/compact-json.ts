const mostColumns = 100;

/** JSON with what fits into a line on one line. */
export function compactJson(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, undefined, 1).replaceAll(/\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null) return flat;
  if (indent.length + flat.length <= mostColumns) return flat;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([name, member]) => {
    const text = compactJson(member, inner);
    return inner + (isList ? text : `${JSON.stringify(name)}: ${text}`);
  });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}
