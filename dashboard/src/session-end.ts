/** What an answer says of the session, whatever was asked. */

const ended = 'playmeter-session-ended';
const denied = 'playmeter-denied';

export function heed(response: Response): Response {
  const { status } = response;
  if (status === 401) window.dispatchEvent(new Event(ended));
  // To whoever was removed from an account, it does not exist.
  if (status === 403 || status === 404) window.dispatchEvent(new Event(denied));
  return response;
}

export const onSessionEnd = (notice: () => void) => on(ended, notice);
/** What somebody may do can have changed meanwhile. */
export const onDenied = (notice: () => void) => on(denied, notice);

function on(event: string, notice: () => void): () => void {
  window.addEventListener(event, notice);
  return () => window.removeEventListener(event, notice);
}
