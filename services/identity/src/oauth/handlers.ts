import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { Handlers } from '@hearth/rpc';
import type { Context } from '../directory/context.ts';
import { endGrantOf, findGrant, listGrants, revokeGrant } from './rpc/grants.ts';
import { consumeObject, destroyObject, findObject, putObject } from './rpc/objects.ts';
import { listSpeakers, saveGrant } from './rpc/save-grant.ts';

export function oauthHandlers(context: Context): Handlers<typeof OAuthService> {
  return {
    putObject: putObject(context),
    findObject: findObject(context),
    consumeObject: consumeObject(context),
    destroyObject: destroyObject(context),
    revokeGrant: revokeGrant(context),
    listSpeakers: listSpeakers(context),
    saveGrant: saveGrant(context),
    findGrant: findGrant(context),
    listGrants: listGrants(context),
    endGrant: endGrantOf(context),
  };
}
