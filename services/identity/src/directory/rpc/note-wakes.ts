import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { IdentityService } from '@hearth/proto/identity/v1/identity';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { updateWakes } from '../db/last-seen.ts';

/** Records until when an AI is woken by webhook. Announces nothing: cached cards may lag. */
export const noteWakes =
  ({ database }: Context): UnaryHandler<typeof IdentityService.method.noteWakes> =>
  async ({ ai, until }) => {
    if (!isUuid(ai)) throw badField('ai', 'must be a uuid');
    const wakesUntil = until === undefined ? null : timestampDate(until);
    await database.statement((tx) => updateWakes(tx, ai, wakesUntil));
    return {};
  };
