/**
 * The same function, which remembers its last answer by the identity of what it was asked. Of the
 * beacons of one request, nearly all have one sender.
 */
export function rememberLast<Asked extends object, Answer>(
  read: (asked: Asked) => Answer,
): (asked: Asked) => Answer {
  let last: { readonly asked: Asked; readonly answer: Answer } | undefined;
  return (asked) => {
    if (last?.asked !== asked) last = { asked, answer: read(asked) };
    return last.answer;
  };
}
