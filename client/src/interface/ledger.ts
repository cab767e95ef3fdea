/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */

export interface Ledger {
  /** The days with beacons, in their order */
  list: LedgerDay[];
}

export interface LedgerDay {
  /** Day in UTC on which they arrived */
  date: string;
  /** The sum of all below */
  received: number;
  /** Beacons that were accepted, each as often as it was sent */
  counted: number;
  /** By reason */
  refused: {
    /** A member of the beacon is missing or not valid */
    INVALID_BEACON: number;
    /** The beacon says what only a sender with a collect:write key may say */
    KEY_REQUIRED: number;
    /** No such video in a package */
    UNKNOWN_VIDEO: number;
    /** The package does not allow the site that the player is on */
    ORIGIN: number;
    /** The stretch began longer ago than is taken */
    TOO_OLD: number;
    /** The stretch begins or runs on in the future */
    IN_FUTURE: number;
    /** The sender says that it is a bot; set apart */
    BOT: number;
  };
}

export interface LedgerParameters {
  /** First day in UTC, yyyy-mm-dd */
  sdate: string;
  /** Last day in UTC, yyyy-mm-dd */
  edate: string;
}
