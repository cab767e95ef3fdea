/** What concerns the whole service: its accounts, health, findings and limits. */
import Type, { type Static } from 'typebox';
import { AccountRecord, createList, named, orNull } from '../management-messages.ts';
import { instant } from './people.ts';

const { accountId, name, timeZone } = AccountRecord.properties;
export const ServiceAccount = Type.Object(
  {
    ...{ accountId, name, timeZone },
    closedAt: orNull(instant(''), 'Since when it is closed; null: it is open'),
  },
  named('ServiceAccount'),
);
export const ServiceAccountList = createList('ServiceAccountList', ServiceAccount);
export const ServiceAccountPath = Type.Object({ accountId });
export const AccountClosure = Type.Object(
  {
    name: Type.String({
      maxLength: 200,
      description: 'The name of the account, so that no other is closed by mistake',
    }),
  },
  named('AccountClosure'),
);

const state = (failure: string) =>
  Type.String({ description: `ok, or why ${failure}`, examples: ['ok'] });
export const ServiceHealth = Type.Object(
  {
    version: Type.String({ description: 'Of the node that answers', examples: ['0.3.0'] }),
    role: Type.String({ description: 'Of that node', examples: ['all'] }),
    catalog: state('the catalog does not answer'),
    statistics: state('the statistics store does not answer'),
    collecting: state('beacons are refused'),
  },
  named('ServiceHealth'),
);
export type ServiceHealth = Static<typeof ServiceHealth>;

const Finding = Type.Object(
  {
    level: Type.Enum(['ok', 'warning', 'error'], {
      description: '`error`: something does not work, or soon will not',
    }),
    what: Type.String({ description: 'What was found' }),
    do: Type.String({ description: 'What to do about it; empty: nothing' }),
  },
  named('Finding'),
);
export const ServiceFindings = Type.Object(
  {
    at: instant('When the service was examined'),
    findings: Type.Array(Finding, { description: 'In the order of `playmeter doctor`' }),
  },
  named('ServiceFindings'),
);
export type ServiceFindings = Static<typeof ServiceFindings>;

/** The settings that bound requests. */
export const limitNames = [
  ...(['RATE_LIMIT_PER_MINUTE', 'ENGINE_SECONDS_PER_MINUTE', 'COLLECT_LIMIT_PER_MINUTE'] as const),
  ...(['PAGE_LIMIT_PER_MINUTE', 'MANAGE_LIMIT_PER_MINUTE', 'WRONG_KEY_LIMIT_PER_MINUTE'] as const),
  ...(['MAX_CONNECTIONS', 'MAX_CONNECTIONS_PER_ADDRESS'] as const),
] as const;

export const ServiceLimits = Type.Object(
  {
    settings: Type.Array(
      Type.Object(
        {
          name: Type.Enum([...limitNames], { description: 'The setting of the configuration' }),
          value: Type.Integer({ description: 'What holds now, set or by default' }),
        },
        named('ServiceLimit'),
      ),
    ),
    reached: Type.Array(
      Type.Object(
        {
          limit: Type.String({ description: 'What was beyond it', examples: ['key'] }),
          requests: Type.Integer({ minimum: 0, description: 'Requests answered with `429`' }),
        },
        named('LimitReached'),
      ),
      { description: 'Since the node that answers was started' },
    ),
  },
  named('ServiceLimits'),
);
export type ServiceLimits = Static<typeof ServiceLimits>;
