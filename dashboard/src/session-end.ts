/** What an answer says of the session, whatever was asked. */

const ended = 'playmeter-session-ended';

export function heed(response: Response): Response {
  if (response.status === 401) window.dispatchEvent(new Event(ended));
  return response;
}

export function onSessionEnd(notice: () => void): () => void {
  window.addEventListener(ended, notice);
  return () => window.removeEventListener(ended, notice);
}
