/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */
import type { Paging } from './information.ts';

export interface Folder {
  /** Folder */
  folderId: number;
  /** Name of the folder */
  folderName: string;
}

export interface FolderChanges {
  /** Name of the folder */
  folderName?: string;
}

export interface FolderFields {
  /** Name of the folder */
  folderName: string;
}

export interface FolderList {
  list: Folder[];
  paging: Paging;
}

export interface ManageFoldersParameters {
  /** Items a page */
  pageSize?: number;
  /** Page, from 1; past the end it is empty, with true totals */
  page?: number;
}
