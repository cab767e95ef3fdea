import { folderPlace } from './folder-place.ts';
import type { Place } from './place.ts';

export function openPlace(location: string): Place {
  return folderPlace(location);
}
