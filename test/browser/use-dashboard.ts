/** A service with an account, and a browser: for the tests of a file that open the dashboard. */
import { afterAll, beforeAll } from 'vitest';
import {
  type Browser,
  type BrowserContextOptions,
  type Page,
  startBrowser,
} from '../support/browser.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { type DashboardVisit, visitDashboard } from './dashboard.ts';

export interface DashboardStage {
  readonly service: TestService;
  readonly account: TestAccount;
  readonly browser: Browser;
  /** Somebody who is not signed in. */
  visit(options?: BrowserContextOptions): Promise<DashboardVisit>;
  /** The owner of the account, signed in. */
  visitAsOwner(options?: BrowserContextOptions): Promise<DashboardVisit>;
  /** One of the owner's pages. */
  open(path: string): Promise<Page>;
  /** What the interface answers the owner. */
  read<Body>(path: string): Promise<Body>;
}

/** Started before the tests of this file, then `prepare`d, and stopped after them. */
export function useDashboard(
  prepare?: (stage: DashboardStage) => Promise<void>,
): () => DashboardStage {
  let stage: DashboardStage | undefined;
  const ready = () => {
    if (stage === undefined) throw new Error('The stage is there once the tests run');
    return stage;
  };
  beforeAll(async () => {
    const [service, browser] = await Promise.all([startTestService(), startBrowser()]);
    const account = await service.addAccount();
    const visitAsOwner = (options?: BrowserContextOptions) =>
      visitDashboard(browser, service, account.key, options);
    stage = {
      ...{ service, account, browser, visitAsOwner },
      visit: (options) => visitDashboard(browser, service, undefined, options),
      async open(path) {
        const { page } = await visitAsOwner();
        await page.goto(path);
        return page;
      },
      read: async <Body>(path: string) =>
        (await (await service.get(path, account.key)).json()) as Body,
    };
    await prepare?.(stage);
  });
  afterAll(async () => {
    await stage?.browser.close();
    await stage?.service.stop();
  });
  return ready;
}
