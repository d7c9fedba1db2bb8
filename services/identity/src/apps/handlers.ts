import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Handlers } from '@hearth/rpc';
import type { AppsContext } from './context.ts';
import { confirmDeleted } from './rpc/confirm-deleted.ts';
import { createApp } from './rpc/create-app.ts';
import { findApps } from './rpc/find-apps.ts';
import { getApp } from './rpc/get-app.ts';
import { listApps } from './rpc/list-apps.ts';
import { rotateAppKey } from './rpc/rotate-app-key.ts';
import { rotateSigningSecret } from './rpc/rotate-signing-secret.ts';
import { updateApp } from './rpc/update-app.ts';

export type AppsHandlers = Handlers<typeof AppsService>;

export function appsHandlers(context: AppsContext): AppsHandlers {
  return {
    createApp: createApp(context),
    listApps: listApps(context),
    getApp: getApp(context),
    updateApp: updateApp(context),
    rotateAppKey: rotateAppKey(context),
    rotateSigningSecret: rotateSigningSecret(context),
    confirmDeleted: confirmDeleted(context),
    findApps: findApps(context),
  };
}
