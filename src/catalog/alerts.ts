/** What the catalog keeps of alerts and reports, and of the messages that they send. */
import type { Result } from '../lib/result.ts';
import type { AlertTerms } from '../wire/management/alerts.ts';
import type { DeliveryChannel, DeliveryState, MessageType } from '../wire/management/deliveries.ts';
import type { ReportTerms } from '../wire/management/reports.ts';
import type { CatalogRefusal } from './refusal.ts';

type Outcome<Value> = Promise<Result<Value, CatalogRefusal>>;

export type RuleSubject = 'alert' | 'report';
export type RuleTerms = AlertTerms | ReportTerms;

/** What an account wants to hear about, and who receives it. */
export interface NewRule {
  readonly accountId: number;
  readonly name: string;
  readonly terms: RuleTerms;
  readonly url: string | undefined;
  /** What messages to the URL are signed with, sealed; undefined if there is no URL. */
  readonly sealedSecret: Uint8Array | undefined;
  readonly mailTo: readonly string[];
  /** To which all is pinned, if a narrowed member made it; undefined: the whole account. */
  readonly packageIds?: readonly number[] | undefined;
}

/** An alert or a report. */
export interface Rule extends NewRule {
  readonly ruleId: number;
  readonly subject: RuleSubject;
  /** Whether the condition of an alert held when it was judged last. */
  readonly isFiring: boolean;
  /** Whether it is kept, but not judged. */
  readonly isPaused: boolean;
  /** The end of the time that was judged or reported last. */
  readonly judgedThrough: Date;
  readonly createdAt: Date;
  /** As in the audit. */
  readonly createdBy: string;
  readonly createdByName: string;
}

/** What is left out stays; of terms that change, judging begins anew. */
export interface RuleChanges extends Partial<Omit<NewRule, 'accountId'>> {
  readonly isPaused?: boolean;
}

/** What is to be sent. */
export interface RuleMessage {
  readonly type: MessageType;
  readonly body: string;
}

/** A rule of one account. */
export interface RuleName {
  readonly accountId: number;
  readonly ruleId: number;
  readonly subject: RuleSubject;
}

export interface Conclusion {
  /** The end of the time that was judged. */
  readonly judgedThrough: Date;
  readonly isFiring: boolean;
  /** What is to be sent; undefined: nothing. */
  readonly message: RuleMessage | undefined;
}

export interface Rules {
  /** A key makes none unless it may read statistics and never expires: a rule has no end. */
  create(rule: NewRule): Outcome<Rule>;
  list(accountId: number, subject: RuleSubject): Promise<Rule[]>;
  find(name: RuleName): Promise<Rule | undefined>;
  /**
   * By a key that could create it. What changes is made of the rule while nobody else may change it;
   * whatever `revise` throws is thrown, and nothing is changed.
   */
  change(name: RuleName, revise: (rule: Rule) => RuleChanges): Outcome<Rule>;
  /** Its messages that are not delivered yet are given up. */
  delete(rule: RuleName): Outcome<void>;
  /** Of all accounts, by id: those after this one, at most 500. */
  after(ruleId: number): Promise<Rule[]>;
  /**
   * Notes what was judged, with a delivery to each receiver, in one transaction. Does nothing and
   * resolves to false if the rule is gone, or was judged meanwhile: of several nodes one concludes.
   */
  conclude(rule: Rule, conclusion: Conclusion): Promise<boolean>;
  /** Adds a delivery to each receiver, whatever was judged; the deliveries. */
  send(name: RuleName, message: RuleMessage): Outcome<Delivery[]>;
}

/** A message to one receiver. */
export interface Delivery {
  readonly deliveryId: number;
  readonly accountId: number;
  readonly ruleId: number;
  readonly subject: RuleSubject;
  /** Names it to the receiver: the same in every attempt. */
  readonly messageId: string;
  readonly channel: DeliveryChannel;
  readonly receiver: string;
  readonly type: MessageType;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly attemptedAt: Date | undefined;
  /** Undefined if none is to come. */
  readonly nextAttemptAt: Date | undefined;
  readonly status: number | undefined;
  readonly error: string | undefined;
}

export interface WholeDelivery extends Delivery {
  readonly body: string;
}

/** What is attempted for whom. */
export type UnderWay = Pick<Delivery, 'accountId' | 'channel'>;

/** A delivery that this process is to attempt now. */
export interface ClaimedDelivery extends WholeDelivery {
  /** As in the rule. */
  readonly sealedSecret: Uint8Array | undefined;
  readonly accountName: string;
}

export interface Attempt {
  readonly isDelivered: boolean;
  /** Whether no further attempt is worth while. */
  readonly isFinal: boolean;
  readonly status: number | undefined;
  readonly error: string | undefined;
}

/** A delivery of one account. */
export interface DeliveryName {
  readonly accountId: number;
  readonly deliveryId: number;
}

export interface DeliveryFilter {
  readonly subject?: RuleSubject | undefined;
  readonly ruleId?: number | undefined;
  readonly state?: DeliveryState | undefined;
}

/** The newest 1,000 of an account are kept, for 30 days. */
export interface Deliveries {
  /** The newest first. */
  list(accountId: number, filter: DeliveryFilter): Promise<Delivery[]>;
  find(name: DeliveryName): Promise<WholeDelivery | undefined>;
  /**
   * Some that are due, in one transaction in which the next attempt of each is put off: no other
   * node attempts them meanwhile, and if this process dies, the attempt is made up for then.
   * Accounts take turns. `underWay` is what this process attempts already: with these there are at
   * most 20 webhooks and 10 mails, and at most 2 of each of one account.
   */
  claim(underWay?: readonly UnderWay[]): Promise<ClaimedDelivery[]>;
  /** Notes how the attempt went; the state that follows. */
  settle(claimed: ClaimedDelivery, attempt: Attempt): Promise<DeliveryState>;
  /** To be attempted again at once, with all attempts before it; under the same message id. */
  replay(name: DeliveryName): Outcome<Delivery>;
  /** Deletes a portion of those that are 30 days old; resolves to how many, 0 at the end. */
  purge(): Promise<number>;
}
