/** The tables of alerts and reports, and of their messages; part of tables.ts. */
import type { Generated } from 'kysely';
import type {
  DeliveryChannel,
  DeliveryState,
  MessageType,
} from '../../wire/management/deliveries.ts';

export interface RuleTables {
  rules: RulesTable;
  deliveries: DeliveriesTable;
}

interface RulesTable {
  id: Generated<number>;
  accountId: number;
  subject: 'alert' | 'report';
  name: string;
  /** JSON of AlertTerms or ReportTerms. */
  terms: string;
  url: string | null;
  sealedSecret: Uint8Array | null;
  /** Separated by spaces; empty: none. */
  mailTo: string;
  isFiring: 0 | 1;
  judgedThroughMs: number;
  createdAtMs: number;
  actor: string;
  actorName: string;
}

/** Outlives its rule. */
interface DeliveriesTable {
  id: Generated<number>;
  accountId: number;
  ruleId: number;
  subject: 'alert' | 'report';
  messageId: string;
  channel: DeliveryChannel;
  receiver: string;
  type: MessageType;
  body: string;
  state: DeliveryState;
  attempts: number;
  /** When it is due, while it waits. */
  nextAtMs: number;
  createdAtMs: number;
  attemptedAtMs: number | null;
  status: number | null;
  error: string | null;
}
