import { readdirSync, readFileSync } from 'node:fs';
import type { DescMessage } from '@bufbuild/protobuf';
import { AgreementSchema } from '@hearth/proto/decisions/v1/agreements';
import { DecisionSchema } from '@hearth/proto/decisions/v1/decisions';
import { MeetingOfferSchema, MeetingSchema } from '@hearth/proto/decisions/v1/meetings';
import { PlanSchema } from '@hearth/proto/decisions/v1/plans';
import { GroupSchema } from '@hearth/proto/groups/v1/groups';
import { HomeInviteSchema } from '@hearth/proto/groups/v1/invites';
import { GroupPostSchema } from '@hearth/proto/messages/v1/group_posts';
import { createReader } from '@hearth/proto-json';
import type { JsonObject } from '@hearth/signing';
import { expect, test } from '@jest/globals';
import { isAbroad, saysWords, toAbroad } from './abroad.ts';

const pages = new URL('../../../docs/protocol/', import.meta.url);
const states = readdirSync(pages)
  .map((page) => readFileSync(new URL(page, pages), 'utf8'))
  .flatMap((page) => [...page.matchAll(/```json\n([\s\S]*?)\n```/g)])
  .map(([, text]) => JSON.parse(text!) as JsonObject & { body?: { kind?: string; object: JsonObject } })
  .filter(({ type }) => type === 'state');

// Homes ignore unknown members, but this reader refuses them: the example must have none.
const reader = createReader({ bounds: new Map(), answers: true });
const homeNames = { ownHome: 'other.example' };

test.each<[string, DescMessage]>([
  ['group', GroupSchema],
  ['post', GroupPostSchema],
  ['decision', DecisionSchema],
  ['plan', PlanSchema],
  ['invite', HomeInviteSchema],
  ['agreement', AgreementSchema],
  ['offer', MeetingOfferSchema],
  ['meeting', MeetingSchema],
])('the example of a state %s in docs/protocol is one that a home takes', (kind, desc) => {
  const found = states.filter(({ body }) => body?.kind === kind);
  expect(found.length).toBeGreaterThan(0);
  for (const { id, body } of found) {
    const { final: _, ...object } = body!.object;
    expect(object['id']).toBe(id);
    expect(reader.readMessage(desc, object)).toMatchObject({ $typeName: desc.typeName });
    expect(isAbroad(desc, object, 'home.example', homeNames)).toBe(true);
    expect(saysWords(desc, object)).toBe(true);
    // The example is in the form that its home would write.
    expect(toAbroad(desc, object, 'home.example')).toEqual(object);
  }
});
