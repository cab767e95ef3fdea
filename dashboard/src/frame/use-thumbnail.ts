import { useState } from 'react';

/**
 * For an img: `src` is empty if there is none to show. The policy of the service allows pictures
 * of its own and of the content host alone: another host would learn who looks at which video.
 */
export function useThumbnail(url = '') {
  const [missing, setMissing] = useState('');
  return { src: url === missing ? '' : url, onError: () => setMissing(url) };
}
