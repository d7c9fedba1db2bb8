import { badRequest, notFound } from '@hearth/errors';
import { parseId } from '@hearth/ids';
import type { MessagesService } from '@hearth/proto/messages/v1/messages';
import type { UnaryHandler } from '@hearth/rpc';
import { type JsonObject, readClaimedKid } from '@hearth/signing';
import { findEnvelope } from '../../shared/db/messages.ts';
import { nameHere } from '../actions/name-here.ts';
import type { Context } from '../context.ts';

export const getEnvelope =
  (context: Context): UnaryHandler<typeof MessagesService.method.getEnvelope> =>
  async (request, { caller }) => {
    const viewer = caller.id;
    const id = parseId('msg', (await nameHere(context, request, viewer)).id);
    const found = id === null ? null : await findEnvelope(context.database.db, viewer, id);
    if (found === null) throw notFound();
    if (found.envelope === null) throw badRequest(none, { code: 'no_envelope' });
    // Co-signatures are unsigned, so anyone may have added some.
    const { co_signatures: _, ...envelope } = JSON.parse(found.envelope) as JsonObject;
    const { origin, signature } = envelope;
    return {
      envelope: JSON.stringify(envelope),
      home: String(origin),
      kid: readClaimedKid(signature) ?? '',
    };
  };

const none =
  'this message has no signed envelope: only a message received from another home has one, until it is taken back';
