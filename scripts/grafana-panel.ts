/** A panel of the dashboard of Grafana, and what it asks for. */

export interface Series {
  readonly expr: string;
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  /** What to think of it. */
  readonly about?: string;
  /** Of Grafana. */
  readonly unit: string;
  readonly series: readonly Series[];
  /** One number instead of a line over time. */
  readonly isNumber?: true;
  /** Beyond this it is red. */
  readonly redFrom?: number;
}

export interface Row {
  readonly question: string;
  readonly panels: readonly Panel[];
}
