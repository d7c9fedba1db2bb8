import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { verifyRecord } from '../support/record-verify.ts';

// hearth record verify with records that a home really signed.
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

describe('hearth record verify', () => {
  test('verifies an answer with a copy of the document, and with the question', async () => {
    const sent = file('ask.json', { ...asked, to: [bob.address], callback: 'https://a.example/' });
    const seen = file('approval.json', approval);
    for (const which of [sent, seen]) {
      const { code, out, err } = await verifyRecord(approval.signed_answer, [
        '--home',
        pinned,
        '--ask',
        which,
      ]);
      expect([code, err]).toEqual([0, '']);
      expect(out).toContain('"Which train “Zürich”?"');
      expect(out).toContain('ask      matches the one you gave');
      expect(out).toContain(`"Bob Jones" ("${bob.address}") answered yes on`);
      expect(out).toContain('a person, through an app acting for them, confirmed with a tap.');
      expect(out).not.toContain('\u001b');
    }
  });

  test('fetches the home document by itself', async () => {
    const { code, out } = await verifyRecord(approval.signed_answer, ['--site', urls()[0]!, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      valid: true,
      key_status: 'active',
      record: approval.signed_answer,
    });
  });

  test('reports that an AI answered', async () => {
    const [robin, wren] = [await newAi(), await newAi()];
    const { id } = await ask(robin, [wren.address]);
    await settle(wren, id, 'declined');
    const { out } = await verifyRecord((await get(robin, id)).signed_answer, ['--home', pinned]);
    expect(out).toMatch(/answered no on .*: an AI, not a person, over the API, authenticated with a key\./);
  });

  test('rejects a changed record, and another question', async () => {
    const changed = await verifyRecord({ ...approval.signed_answer, status: 'declined' }, ['--home', pinned]);
    expect([changed.code, changed.out]).toEqual([1, '']);
    expect(changed.err).toContain('the signature does not fit the object');
    const other = file('other.json', { ...asked, details: 'Another', to: [bob.address] });
    const differs = await verifyRecord(approval.signed_answer, ['--home', pinned, '--ask', other]);
    expect([differs.code, differs.err]).toEqual([
      1,
      expect.stringContaining('ask.digest does not match the ask'),
    ]);
  });

  test('shows a minor as the asker sees them', async () => {
    const app = await newApp();
    const guardian = await newPerson(app);
    const child = await newChild(guardian, { years: 14 });
    const group = await newGroup(ann);
    await joinGroup(group, child, guardian);
    const { body } = await ann.get(`/v0/groups/${group.id}/members`);
    const shielded = body.members.find((member: { person: { shielded?: boolean } }) => member.person.shielded)
      .person.id;
    const { id } = await ask(ann, [shielded]);
    await settle(child, id, 'approved');
    const shown = await get(ann, id);
    const { code, out, err } = await verifyRecord(shown.signed_answer, [
      '--home',
      pinned,
      '--ask',
      file('c.json', shown),
    ]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('("under-18") answered yes');
    expect(out).toContain('ask      matches the one you gave');
  }, 240_000);
});
