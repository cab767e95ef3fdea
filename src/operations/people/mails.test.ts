import { expect, test } from 'vitest';
import { writePersonMail } from './mails.ts';

const values = { account: 'Studio', link: 'https://media.example/#invitation=a' };

test.each([
  ['en', 'Kim invites you to see the playback statistics of Studio.'],
  ['ko', 'Kim 님이 Studio의 재생 통계에 초대합니다.'],
] as const)('an invitation in %s names who invites', (language, said) => {
  const to = { to: 'lee@example.com', language };
  const { text } = writePersonMail('personalInvitation', to, { ...values, inviter: 'Kim' });
  expect(text).toMatch(new RegExp(`^${said}\\n\\n.*\\n${values.link}\\n`));
});

test('a name begins no line of a mail, and no header', () => {
  const names = { account: 'A\r\nBcc: b@example.com', inviter: 'Kim\n\nhttps://elsewhere.example' };
  const to = { to: 'lee@example.com', language: 'en' } as const;
  const { subject, text } = writePersonMail('personalInvitation', to, { ...values, ...names });
  expect(subject).toBe('You are invited to A  Bcc: b@example.com');
  expect(text).toMatch(/^Kim {2}https:\/\/elsewhere.example invites you /);
});

test('a link stands as it is, whatever the letters of its host', () => {
  const link = 'https://\u05d5\u05d9\u05d3\u05d0\u05d5.example/#reset=a';
  const { text } = writePersonMail('reset', { to: 'lee@example.com', language: 'en' }, { link });
  expect(text).toContain(`\n${link}\n`);
});
