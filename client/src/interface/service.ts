/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */

export interface Health {
  status: 'ok';
}

export interface Readiness {
  status: 'ok' | 'unavailable';
  /** ok, or why the catalog does not answer */
  catalog: string;
  /** ok, or why the statistics store does not answer */
  statistics: string;
}
