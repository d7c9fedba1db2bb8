import { create, type Message } from '@bufbuild/protobuf';
import { rulesOf, writeMessage } from '@hearth/proto-json';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { appEvents, appEventTypes, type EventKind, wakeUps } from './catalogue.ts';

/** Names in the public interface. */
const wakeUpNames = [
  'decision.needs_you',
  'approval.requested',
  'plan.proposed',
  'message.direct',
  'commons.reply',
  'ask.answered',
  'agreement.updated',
  'meeting.booked',
  'meeting.cancelled',
];
const appEventNames = [
  'outcome',
  'message.received',
  'member.joined',
  'member.left',
  'member.removed',
  'role.changed',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.archived',
  'person.updated',
  'account.deleted',
  'ai.unclaimed',
  'ai.claimed',
  'ai.revoked',
  'notify',
  'guess',
];

const everyEvent: readonly EventKind[] = [...wakeUps, ...appEvents];

test('holds the events of the interface, in its order', () => {
  expect(wakeUps.map(({ name }) => name)).toEqual(wakeUpNames);
  expect(appEvents.map(({ name }) => name)).toEqual(appEventNames);
  expect(appEventTypes).toEqual(appEventNames);
});

test('the first four wake-ups accept a group filter, and six apply to AIs without an owner', () => {
  const narrowed = wakeUps.filter(({ groupFilter }) => groupFilter).map(({ name }) => name);
  expect(narrowed).toEqual(wakeUpNames.slice(0, 4));
  const ownerless = wakeUps.filter(({ withoutOwner }) => withoutOwner).map(({ name }) => name);
  expect(ownerless).toEqual([
    'message.direct',
    'commons.reply',
    'ask.answered',
    'agreement.updated',
    'meeting.booked',
    'meeting.cancelled',
  ]);
});

describe.each(everyEvent)('$name', (event: EventKind) => {
  const ajv = new Ajv2020({ strict: true, allErrors: true, validateFormats: false });

  test('has a description as a sentence without code', () => {
    expect(event.description).toMatch(/^[A-Z].*\.$/s);
    expect(event.description).not.toContain('`');
  });

  test('has a self-contained schema that accepts its written form', () => {
    const validate = ajv.compile(event.schema);
    const required = (event.schema.required ?? []) as string[];
    const written = writeMessage(event.message, create(event.message, filled(event)) as Message);
    expect([validate(written), validate.errors]).toEqual([true, null]);
    expect(Object.keys(written)).toEqual(expect.arrayContaining(required));
    expect(validate({ ...written, [required[0]!]: {} })).toBe(false);
  });
});

test.each(wakeUps)('the filters of $name have a schema, and no others are accepted', (event) => {
  const validate = new Ajv2020({ strict: true }).compile(event.inputSchema);
  expect(validate({})).toBe(true);
  expect(validate({ group: 'grp_1' })).toBe(event.groupFilter);
  expect(validate({ other: 'grp_1' })).toBe(false);
});

test('text written by others is marked in every event', () => {
  const titles = everyEvent.flatMap(({ message }) =>
    message.fields.filter(({ name }) => name === 'title' || name === 'reason' || name === 'why'),
  );
  const unmarked = titles.filter((field) => !rulesOf(field).untrusted).map(String);
  expect(unmarked).toEqual([
    'field hearth.delivery.v1.AgreementUpdated.why',
    'field hearth.delivery.v1.GroupArchived.why',
    'field hearth.delivery.v1.AiUnclaimed.why',
  ]);
});

/** Fills the required nested messages and enums of a message. */
function filled({ message }: Pick<EventKind, 'message'>): Record<string, unknown> {
  const given = message.fields.filter(
    ({ fieldKind, oneof, proto }) =>
      (fieldKind === 'message' || fieldKind === 'enum') && !proto.proto3Optional && oneof === undefined,
  );
  return Object.fromEntries(
    given.map((field) => [
      field.localName,
      field.message === undefined ? 1 : create(field.message, filled({ message: field.message })),
    ]),
  );
}
