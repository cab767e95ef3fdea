/** What a caller sends -> a rule that can be judged: checks what the schemas cannot. */
import type { NewRule } from '../catalog/catalog.ts';
import type { Sealer } from '../lib/sealer.ts';
import { readQuery } from '../query/parse/query-parser.ts';
import { type AudienceDimensionName, audienceDimension } from '../vocabulary/dimensions.ts';
import { Fault, type ParameterFault } from '../vocabulary/faults.ts';
import type { AlertFields, AlertTerms } from '../wire/management/alerts.ts';
import type { ReportFields, ReportTerms } from '../wire/management/reports.ts';
import { parameterFault } from '../wire/parameters.ts';
import { drawWebhookSecret, isWebhookSecret } from './delivery/webhook-secret.ts';
import type { Asker } from './evaluation/figures.ts';

export interface RuleContext {
  readonly sealer: Pick<Sealer, 'seal'>;
  /** Whether the service sends mail. */
  readonly canMail: boolean;
}

export interface ReadRule {
  readonly rule: NewRule;
  /** Undefined without a URL. */
  readonly secret: string | undefined;
}

const usual = { weeks: 4, atLeast: 0, top: 10, hour: 6, weekday: 1 };
/** Any: what is checked does not depend on the days. */
const someDay = '2026-01-01';

/** Both functions throw every error at once. */
export function createRuleReader(desk: RuleContext) {
  return {
    readAlert: (fields: AlertFields, asker: Asker) => readAlert(fields, asker, desk),
    readReport: (fields: ReportFields, asker: Asker) => readReport(fields, asker, desk),
  };
}

function readAlert(fields: AlertFields, asker: Asker, desk: RuleContext): ReadRule {
  const errors: ParameterFault[] = [];
  const terms = termsOfAlert(fields, errors);
  const measures = terms.kind === 'silence' ? 'plays' : terms.measure;
  errors.push(...findFaults({ measures, filters: terms.filters }, asker));
  return buildRule(fields, terms, asker, desk, errors);
}

function readReport(fields: ReportFields, asker: Asker, desk: RuleContext): ReadRule {
  const { measures, dimension = null, filters = null } = fields;
  const errors = findFaults({ measures, dimensions: dimension, filters }, asker);
  if (dimension !== null && errors.length === 0 && !isOneWithoutTime(dimension)) {
    errors.push({ parameter: 'dimension', detail: 'must be one dimension, and no time' });
  }
  const terms: ReportTerms = {
    ...{ kind: 'report', every: fields.every, dimension, filters },
    measures: measures.split(',').map((name) => name.trim()) as ReportTerms['measures'][number][],
    weekday: fields.weekday ?? usual.weekday,
    hour: fields.hour ?? usual.hour,
    top: fields.top ?? usual.top,
  };
  return buildRule(fields, terms, asker, desk, errors);
}

/** Members that each kind takes; all but those with a default are required. */
const members = {
  threshold: ['measure', 'per', 'above', 'below'],
  drop: ['measure', 'per', 'percent', 'weeks', 'atLeast'],
  silence: ['minutes'],
} as const;
type Member = (typeof members)[keyof typeof members][number];
const allMembers: readonly Member[] = [...new Set(Object.values(members).flat())];

function termsOfAlert(fields: AlertFields, errors: ParameterFault[]): AlertTerms {
  const { kind, measure = 'plays', per = 'day', filters = null, above, below } = fields;
  const own: readonly Member[] = members[kind];
  for (const name of allMembers) {
    if (fields[name] !== undefined && !own.includes(name)) {
      errors.push({ parameter: name, detail: `is not for an alert of the kind ${kind}` });
    }
  }
  const demand = (name: 'measure' | 'percent' | 'minutes') => {
    if (fields[name] === undefined) {
      errors.push({ parameter: name, detail: `must be given for an alert of the kind ${kind}` });
    }
  };
  if (kind === 'silence') {
    demand('minutes');
    return { kind, minutes: fields.minutes ?? 1, filters };
  }
  demand('measure');
  if (kind === 'drop') {
    demand('percent');
    const { percent = 1, weeks = usual.weeks, atLeast = usual.atLeast } = fields;
    return { kind, measure, per, percent, weeks, atLeast, filters };
  }
  if ((above === undefined) === (below === undefined)) {
    errors.push({ parameter: 'above', detail: 'must be given, or else below, and not both' });
  }
  return { kind, measure, per, above: above ?? null, below: below ?? null, filters };
}

interface RuleQuestion {
  readonly measures: string;
  readonly dimensions?: string | null;
  readonly filters: string | null;
}

/** As a question would be refused; `dimension` takes the place of `dimensions`. */
function findFaults(
  { measures, dimensions = null, filters }: RuleQuestion,
  asker: Asker,
): ParameterFault[] {
  const parameters = {
    ...{ sdate: someDay, edate: someDay, measures },
    ...(dimensions === null ? {} : { dimensions }),
    ...(filters === null ? {} : { filters }),
  };
  try {
    readQuery(parameters, asker);
    return [];
  } catch (error) {
    if (!(error instanceof Fault) || error.errors === undefined) throw error;
    return error.errors.map(({ parameter, detail }) => {
      return { parameter: parameter === 'dimensions' ? 'dimension' : parameter, detail };
    });
  }
}

function isOneWithoutTime(dimension: string): boolean {
  if (dimension.includes(',')) return false;
  return audienceDimension(dimension.trim() as AudienceDimensionName).kind !== 'time';
}

type Receivers = Pick<AlertFields, 'name' | 'url' | 'secret' | 'mailTo'>;

function buildRule(
  { name, url: givenUrl, secret: given, mailTo = [] }: Receivers,
  terms: NewRule['terms'],
  { accountId }: Asker,
  { sealer, canMail }: RuleContext,
  errors: ParameterFault[],
): ReadRule {
  const url = givenUrl ?? undefined;
  if (url === undefined && mailTo.length === 0) {
    errors.push({ parameter: 'url', detail: 'must be given, or else mailTo' });
  }
  if (url !== undefined && !isWebhookUrl(url)) {
    const detail = 'must be a URL such as https://hooks.example.com/a, without user and fragment';
    errors.push({ parameter: 'url', detail });
  }
  if (mailTo.length > 0 && !canMail) {
    const detail = 'must be empty: this service sends no mail until its operator sets SMTP_URL';
    errors.push({ parameter: 'mailTo', detail });
  }
  if (given && !isWebhookSecret(given)) {
    errors.push({ parameter: 'secret', detail: 'must be whsec_ and 24 to 64 bytes in Base64' });
  }
  if (errors.length > 0) throw parameterFault(errors);
  const secret = url === undefined ? undefined : (given ?? drawWebhookSecret());
  const sealedSecret = secret === undefined ? undefined : sealer.seal(secret);
  return { rule: { accountId, name, terms, url, sealedSecret, mailTo }, secret };
}

function isWebhookUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s#]+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
