import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failure } from '@hearth/testkit';
import { type SinkOptions, type SmtpSink, startSmtpSink } from '@hearth/testkit/smtp-sink';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startDelivery, type TestDelivery } from './start-delivery.ts';

const mail = { to: 'ada@example.com', subject: 'Your code', text: 'It is 123456.', kind: 'sign_in_code' };
const releases: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0).reverse()) await release();
});

async function start(env: Record<string, string> = {}): Promise<TestDelivery> {
  const home = await startDelivery(env);
  releases.push(() => home.stop());
  return home;
}

describe('mail over SMTP', () => {
  async function startWith(
    options: SinkOptions = {},
    query = '',
  ): Promise<{ sink: SmtpSink; home: TestDelivery }> {
    const sink = await startSmtpSink(options);
    releases.push(() => sink.stop());
    return { sink, home: await start({ SMTP_URL: `${sink.url}${query}` }) };
  }

  test('is sent from the home, with exactly the requested content', async () => {
    const { sink, home } = await startWith();
    await home.inward.sendMail({ ...mail, html: '<p>It is <b>123456</b>.</p>' });
    const [{ from, to, data } = sink.mails[0]!] = sink.mails;
    expect([from, to]).toEqual(['hearth@hearth.example', ['ada@example.com']]);
    const [head = '', body] = data.split('\r\n\r\n', 2).map((part) => part.replace(/\r\n /g, ' '));
    expect(head.split('\r\n').map((line) => line.split(':')[0])).toEqual([
      ...['Auto-Submitted', 'From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Content-Type'],
    ]);
    expect(head).toContain('From: hearth@hearth.example');
    expect(head).toContain('To: ada@example.com');
    expect(head).toContain('Date: Sun, 01 Mar 2026 12:00:00 +0000');
    expect(head).toMatch(/Message-ID: <[0-9a-f-]{36}@hearth\.example>/);
    expect(body).toContain('text/plain');
    expect(data).toContain('It is 123456.');
    expect(data).toContain('<p>It is <b>123456</b>.</p>');
  });

  test('has a subject and a text in any script', async () => {
    const { sink, home } = await startWith();
    await home.inward.sendMail({ ...mail, subject: 'Grüße 👋', text: 'Straße\n.\nund mehr' });
    const { data } = sink.mails[0]!;
    expect(data).toContain('Subject: =?UTF-8?');
    expect(data).toContain('Stra=C3=9Fe');
    expect(data.replaceAll('\r\n..\r\n', '\r\n.\r\n')).toContain('\r\n.\r\nund mehr');
  });

  test('is protected against injected headers and recipients', async () => {
    const { sink, home } = await startWith();
    const subject = 'Hello\r\nBcc: eve@example.com\r\n\r\nNew body\u2028X-Evil: 1';
    await home.inward.sendMail({ ...mail, subject, text: '\r\n.\r\nMAIL FROM:<eve@example.com>\r\n' });
    const { to, data } = sink.mails[0]!;
    expect(sink.mails).toHaveLength(1);
    expect(to).toEqual(['ada@example.com']);
    const head = data.split('\r\n\r\n')[0]!;
    expect(head).not.toMatch(/^(Bcc|X-Evil):/im);
    expect(head.replace(/\r\n /g, ' ')).toContain('Subject: Hello Bcc: eve@example.com New body X-Evil: 1');

    const bad = [
      ...['', 'ada', 'ada@example', '@example.com', 'Ada <ada@example.com>', '<ada@example.com>'],
      'a b@example.com',
      ...['ada@example.com,eve@example.com', 'ada@example.com;eve@example.com', 'list:ada@example.com;'],
      ...[
        'ada@example.com\r\nBcc: eve@example.com',
        'ada@example.com\n',
        'ada\0@example.com',
        'a(b)@example.com',
      ],
      ...['"a b"@example.com', 'ada@[127.0.0.1]', 'ada@127.0.0.1', 'ada@example.com>', 'ada@-example.com'],
      ...['ada@example.com@example.org', `${'a'.repeat(65)}@example.com`, `a@${'a.'.repeat(130)}com`],
    ];
    for (const to of bad) {
      expect(await failure(home.inward.sendMail({ ...mail, to }))).toBe('bad_request bad_field to');
    }
    for (const wrong of [
      { subject: ' \r\n' },
      { text: '\n' },
      { kind: 'a\nb' },
      { kind: '' },
      { text: 'a'.repeat(300_000) },
    ]) {
      expect(await failure(home.inward.sendMail({ ...mail, ...wrong }))).toBe(
        `bad_request bad_field ${Object.keys(wrong)[0]}`,
      );
    }
    expect(sink.mails).toHaveLength(1);
  });

  test('uses few connections, and keeps them', async () => {
    const { sink, home } = await startWith();
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => home.inward.sendMail({ ...mail, subject: `No. ${index}` })),
    );
    expect(sink.mails).toHaveLength(40);
    expect(sink.connections().all).toBeLessThanOrEqual(5);
  });

  test.each([
    ['refuses the recipient', { RCPT: '550 nobody here' }],
    ['refuses the mail', { '.': '451 try later' }],
    ['refuses the connection', { HELLO: '421 closed' }],
  ])('is unavailable when the server %s', async (_, answers) => {
    const { sink, home } = await startWith({ answers });
    await expect(home.inward.sendMail(mail)).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'the mail server did not take the mail; try again later',
    });
    expect(sink.mails.length).toBe('.' in answers ? 1 : 0);
  });

  test('is given up when the caller stops waiting', async () => {
    const { sink, home } = await startWith({ answers: { RCPT: null } });
    const start = performance.now();
    await expect(home.inward.sendMail(mail, { timeoutMs: 300 })).rejects.toMatchObject({
      kind: expect.stringMatching(/unavailable|deadline_exceeded/),
    });
    expect(performance.now() - start).toBeLessThan(3_000);
    while (sink.connections().open > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(sink.mails).toEqual([]);
  });

  test('is unavailable while no server listens, and works once one does', async () => {
    const sink = await startSmtpSink();
    const home = await start({ SMTP_URL: sink.url });
    await home.inward.sendMail(mail);
    await sink.stop();
    expect(await failure(home.inward.sendMail(mail))).toBe('unavailable unavailable');
    const again = await startSmtpSink({ port: Number(new URL(sink.url).port) });
    releases.push(() => again.stop());
    await home.inward.sendMail(mail);
    expect(again.mails).toHaveLength(1);
  });

  test('never shows credentials in the clear to another machine', async () => {
    const asked = async (host: string) => {
      const sink = await startSmtpSink({
        host,
        answers: { EHLO: '250-sink\r\n250 AUTH PLAIN', STARTTLS: '502 no' },
      });
      releases.push(() => sink.stop());
      const home = await start({ SMTP_URL: sink.url.replace('//', '//user:secret@') });
      const outcome = await home.inward.sendMail(mail).then(
        () => 'sent',
        (error: { kind: string }) => error.kind,
      );
      return [outcome, sink.commands.includes('AUTH'), sink.commands.includes('STARTTLS')];
    };
    expect(await asked('127.0.0.1')).toEqual(['sent', true, false]);
    // The same machine, but under an address that is not recognized as such.
    expect(await asked('127.0.0.2')).toEqual(['unavailable', false, true]);
  });
});

describe('mail without a server', () => {
  let home: TestDelivery;
  let folder: string;
  beforeEach(async () => {
    home = await start();
    folder = join(home.dataFolder, 'mail');
  });

  test('is written to a file that only its owner can read', async () => {
    await home.inward.sendMail(mail);
    const files = readdirSync(folder);
    expect(files).toEqual([expect.stringMatching(/^2026-03-01T12-00-00-000Z-[0-9a-f-]{36}\.eml$/)]);
    const path = join(folder, files[0]!);
    expect([statSync(folder).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600]);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('To: ada@example.com\r\n');
    expect(text).toMatch(/\r\n\r\nIt is 123456\.\r\n/);
  });

  test('keeps the newest thousand', async () => {
    mkdirSync(folder);
    for (let index = 0; index < 1_005; index += 1)
      writeFileSync(join(folder, `2025-${1_000 + index}.eml`), '');
    await home.inward.sendMail(mail);
    const files = readdirSync(folder).sort();
    expect([files.length, files[0], files.at(-1)?.slice(0, 10)]).toEqual([
      1_000,
      '2025-1006.eml',
      '2026-03-01',
    ]);
  });

  test('is unavailable when the folder cannot be written', async () => {
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, 'in the way');
    expect(await failure(home.inward.sendMail(mail))).toBe('unavailable unavailable');
  });

  test('is written only for services', async () => {
    expect(await failure(home.client.sendMail(mail))).toBe('forbidden no_permission');
  });
});
