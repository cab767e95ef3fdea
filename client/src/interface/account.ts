/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */

export interface Account {
  /** Account */
  accountId: number;
  /** Name */
  name: string;
  /** IANA time zone of the dates and hours of all statistics */
  timeZone: string;
}

export interface AccountChanges {
  /** Name */
  name?: string;
  /** IANA time zone of the dates and hours of all statistics */
  timeZone?: string;
}
