import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { FederationService } from '@hearth/proto/federation/v1/federation';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';

const answerHoldsMs = 60_000;

/** Serves {site_url}/.well-known/service.json. */
export const getHomeDocument =
  ({ documents }: Context): UnaryHandler<typeof FederationService.method.getHomeDocument> =>
  async (_request, call) => {
    const { json, etag, validUntil } = await documents.current();
    call.validFor(answerHoldsMs);
    return { json, etag, validUntil: timestampFromDate(validUntil) };
  };
