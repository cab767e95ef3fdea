import type { ViewDescription } from './describe-view.ts';
import type { Platform } from './platform.ts';
import type { Stretch } from './stretch-meter.ts';

/** The report of one stretch as it is sent, but for `at`: RFC 3339 of the server's clock then. */
export interface Beacon extends Stretch, ViewDescription, Platform {}
