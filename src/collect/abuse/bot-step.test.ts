import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { userAgentLimitChars } from '../enrich/user-agent-memory.ts';
import { createBotFilter } from './bot-step.ts';

const sieve = createBotFilter();
const refused = (userAgent: string) => sieve({ userAgent }) !== undefined;

const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const chrome = `${engine} Chrome/99.0.4844.88 Mobile Safari/537.36`;
const phone = (model: string) => `Mozilla/5.0 (Linux; Android 9; ${model}) ${chrome}`;
const oldPhone = (model: string) =>
  `Mozilla/5.0 (Linux; U; Android 4.4.2; en-us; ${model} Build/KOT49H) ${chrome}`;
const television = (device: string) => `Mozilla/5.0 (Linux armv7l) ${chrome} ${device}`;
const windowsPhone = (model: string) =>
  `Mozilla/5.0 (compatible; MSIE 9.0; Windows Phone OS 7.5; Trident/5.0; IEMobile/9.0; ${model})`;

const people = [
  television('OMI/4.20.3.54.Catcher4 Model/Hisense-MSD6886 VIDAA/4.0(Hisense;SmartTV)'),
  television('OMI/4.22.1.8.Catcher4-PROD.7 Model/Hisense-MT9602'),
  television('GoogleTV/162671'),
  'Mozilla/5.0 (Linux; GoogleTV 3.2; LG Google TV G3 Build/MASTER) AppleWebKit/534.24',
  'Mozilla/5.0 (X11; Linux; Google Nexus 7) AppleWebKit/534.24 Safari/534.24',
  'Mozilla/5.0 (X11; Linux; Google Galaxy Nexus) AppleWebKit/534.24 Safari/534.24',
  `Mozilla/5.0 (Linux; Android 5.1.1) ${chrome} SogouMSE,SogouMobileBrowser/5.9.5`,
  `Mozilla/5.0 (Linux; Android 5.1.1) ${chrome} SogouSearch Android1.0 version3.0`,
  `Mozilla/5.0 (Windows NT 10.0) ${chrome} SogouExplorer`,
  'Mozilla/5.0 (SAMSUNG; GT-S8500; U; Bada/1.0; en-us) AppleWebKit/533.1 Dolfin/2.0 Mobile',
  windowsPhone('HTC; Radar'),
  windowsPhone('HTC; Radar C110e'),
  phone('CUBOT X18'),
  phone('Brand_CUBOT_X18'),
  phone('FOSSiBOT DT1 Lite'),
  phone('B bot 550'),
  phone('C bot Tab 100'),
  phone('M bot 60'),
  phone('Logicom_M_BOT_60'),
  phone('ID_bot 53+'),
  phone('VR bot 552 Plus'),
  phone('POWER BOT'),
  oldPhone('Power_Bot'),
  phone('Discovery II mini'),
  oldPhone('Discovery'),
  phone('Superion Radar Deluxe'),
  phone('Google Chromecast HD (2022)'),
  phone('Scan 7 Tools'),
  // Native players, as apps name themselves to the player log.
  '(CUBOT_X18; Android 8.1.0) App/1.2',
  '(M bot 60; Android 7.0) App/1.2',
  '(iPhone14,2; iOS 17.4) App/1.2',
  '(SM-G991N; Android 14) App/1.2',
  'okhttp/4.12.0',
  'okhttp/4.12.0 (like Mozilla/5.0)',
  'VLC/3.0.21 LibVLC/3.0.21',
  'AppleCoreMedia/1.0.0.21E236 (iPhone; U; CPU OS 17_4 like Mac OS X; de_de)',
  '',
];

const bots = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (compatible; Google Web Preview)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/120.0.0.0 Safari/537.36',
  'Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)',
  'Sogou Pic Spider/3.0',
  'SogouSearchBot/1.0 crawler',
  'ExampleBot/1.0',
  'Example Crawler 2',
  'headless-player/3',
  phone('ExampleBot'),
  phone('Example Crawler'),
  phone('Example Spider'),
  phone('Headless'),
  phone('+http://example.test/about'),
  phone('Pixel 2; Storebot-Google/1.0'),
  phone('Nexus 5X Build/MMB29P').replace('Safari', '(compatible; AdsBot-Google-Mobile) Safari'),
  `${phone('CUBOT X18')} (compatible; ExampleBot/2.0)`,
  `${television('OMI/4.20.Catcher4')} ExampleBot/2.0`,
  'Mozilla/5.0 (Linux; Android 9; Discovery Fetcher 2.0)',
  'Mozilla/5.0 (compatible; Radar; discovery)',
  'Mozilla/5.0 (compatible; CUBOTS; robot)',
];

describe('the sieve', () => {
  it.each(people)('lets a person pass: %s', (userAgent) => {
    expect(refused(userAgent)).toBe(false);
  });

  it('lets pass what names nothing', () => {
    expect(sieve({})).toBeUndefined();
  });

  it.each(bots)('refuses a bot: %s', (userAgent) => {
    expect(sieve({ userAgent })).toEqual({ code: 'BOT', detail: expect.stringContaining('bot') });
  });

  it('refuses a bot beside any device', () => {
    fc.assert(
      fc.property(fc.constantFrom(...people), fc.constantFrom(...bots), (person, bot) => {
        expect(refused(`${bot} ${person}`)).toBe(true);
      }),
    );
  });

  it('answers the same again, remembered or not', () => {
    const userAgents = fc.array(fc.constantFrom(...people, ...bots), { maxLength: 20 });
    fc.assert(
      fc.property(userAgents, (sent) => {
        const fresh = sent.map((userAgent) => createBotFilter()({ userAgent }) !== undefined);
        expect(sent.map(refused)).toEqual(fresh);
      }),
    );
  });

  it('reads the beginning of the text only', () => {
    const late = (chars: number) => `Mozilla/5.0 ${'x'.repeat(chars - 12 - 4)} bot`;
    expect(refused(late(userAgentLimitChars))).toBe(true);
    expect(refused(late(userAgentLimitChars + 1))).toBe(false);
  });
});
