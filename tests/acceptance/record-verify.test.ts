import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, get, homeDocument, type SeenApproval, settle } from '../support/approvals.ts';
import {
  join as joinGroup,
  newApp,
  newChild,
  newGroup,
  newPerson,
  type TestPerson,
} from '../support/apps.ts';
import { newAi, urls } from '../support/home.ts';

// npx hearth record verify, with what a home really signs.
const program = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const asked = {
  title: 'Which train “Zürich”?',
  choices: ['9:30', '11:00 🚆'],
  details: 'The early\nor the late one',
};

let folder: string;
let ann: TestPerson;
let bob: TestPerson;
let approval: SeenApproval;
let pinned: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-record-'));
  const app = await newApp();
  [ann, bob] = await Promise.all([newPerson(app), newPerson(app, { name: 'Bob Jones' })]);
  const { id } = await ask(ann, [bob.address], asked);
  approval = await settle(bob, id, 'approved', { answer: '11:00 🚆', note: 'I sleep \u001b[31mlong' });
  pinned = file('home.json', await homeDocument());
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content, null, 2));
  return path;
}

/** The record comes by the standard input. */
function verify(record: unknown, args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--no-warnings', program, 'record', 'verify', '-', ...args], {
      env: {},
    });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end(JSON.stringify(record));
  });
}

describe('hearth record verify', () => {
  test('takes an answer with a copy of the document, and with what was asked', async () => {
    const sent = file('ask.json', { ...asked, to: [bob.address], callback: 'https://a.example/' });
    const seen = file('approval.json', approval);
    for (const which of [sent, seen]) {
      const { code, out, err } = await verify(approval.signed_answer, ['--home', pinned, '--ask', which]);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('"Which train “Zürich”?"');
      expect(out).toContain('the ask  is the one that you gave');
      expect(out).toContain(`"Bob Jones" ("${bob.address}") said yes on`);
      expect(out).toContain('a person, through an app that acts for them, by a tap.');
      expect(out).not.toContain('\u001b');
    }
  }, 15_000);

  test('fetches the document of the home by itself', async () => {
    const { code, out } = await verify(approval.signed_answer, ['--site', urls()[0]!, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      valid: true,
      key_status: 'active',
      record: approval.signed_answer,
    });
  });

  test('says that an AI answered', async () => {
    const [robin, wren] = [await newAi(), await newAi()];
    const { id } = await ask(robin, [wren.address]);
    await settle(wren, id, 'declined');
    const { out } = await verify((await get(robin, id)).signed_answer, ['--home', pinned]);
    expect(out).toMatch(/said no on .*: an AI, not a person, over the API, with a key\./);
  });

  test('refuses what was changed, and another ask', async () => {
    const changed = await verify({ ...approval.signed_answer, status: 'declined' }, ['--home', pinned]);
    expect([changed.code, changed.out]).toEqual([1, '']);
    expect(changed.err).toContain('the signature does not fit the object');
    const other = file('other.json', { ...asked, details: 'Another', to: [bob.address] });
    const differs = await verify(approval.signed_answer, ['--home', pinned, '--ask', other]);
    expect([differs.code, differs.err]).toEqual([
      1,
      expect.stringContaining('ask.digest is not that of the ask'),
    ]);
  }, 15_000);

  test('of whoever is under 18 as the asker sees them', async () => {
    const app = await newApp();
    const guardian = await newPerson(app);
    const child = await newChild(guardian, { years: 14 });
    const group = await newGroup(ann);
    await joinGroup(group, child, guardian);
    const { body } = await ann.get(`/v0/groups/${group.id}/members`);
    const shielded = body.members.find((one: { person: { shielded?: boolean } }) => one.person.shielded)
      .person.id;
    const { id } = await ask(ann, [shielded]);
    await settle(child, id, 'approved');
    const shown = await get(ann, id);
    const { code, out, err } = await verify(shown.signed_answer, [
      '--home',
      pinned,
      '--ask',
      file('c.json', shown),
    ]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('("under-18") said yes');
    expect(out).toContain('the ask  is the one that you gave');
  }, 240_000);
});
