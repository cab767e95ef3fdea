/** The settings of monitoring and of the log; part of config.ts. */
import Type from 'typebox';
import { readNetworks } from '../lib/network/network-list.ts';
import { checked, text } from './setting-types.ts';

export const monitoringSettings = {
  OPERATOR_NETWORKS: checked(
    text(
      'Networks from which /metrics and the reasons in /readyz are shown without a key: ' +
        'loopback, private, 203.0.113.0/24, or none',
      'loopback',
    ),
    (value) => readNetworks(value) !== undefined,
    'must be networks such as loopback, private, 203.0.113.0/24, or none',
  ),
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    description: 'Least severe level to log (to standard error)',
    default: 'info',
  }),
  LOG_FORMAT: Type.Enum(['json', 'text'], {
    description: 'JSON lines for programs, or text with the levels as words for people',
    default: 'json',
  }),
};
