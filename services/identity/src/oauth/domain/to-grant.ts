import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import type { GrantSchema, SpeakerSchema } from '@hearth/proto/identity/v1/oauth';
import type { AiRow } from '../../shared/db/ais.ts';
import { platforms, scopes } from '../../shared/domain/to-proto.ts';
import type { OAuthGrantRow } from '../db/oauth-grants.ts';

export function toGrant(row: OAuthGrantRow): MessageInitShape<typeof GrantSchema> {
  const { id, person, ai, address, name, platform, clientId, clientName, createdAt, lastUsedOn } = row;
  return {
    id,
    person,
    ai: toSpeaker({ id: ai, address, name, platform }),
    clientId,
    clientName,
    scopes: row.scopes.map(scopes.valueOf),
    createdAt: timestampFromDate(createdAt),
    ...(lastUsedOn !== null && { lastUsed: lastUsedOn }),
  };
}

type Speaker = Pick<AiRow, 'id' | 'address' | 'name' | 'platform'>;

export function toSpeaker({ id, address, name, platform }: Speaker): MessageInitShape<typeof SpeakerSchema> {
  return { id: printId('ai', id), address, name, platform: platforms.valueOf(platform) };
}
