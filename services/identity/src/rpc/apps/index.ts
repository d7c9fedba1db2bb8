import type { AppsService } from '@hearth/proto/identity/v1/apps';
import type { Handlers } from '@hearth/rpc';
import type { AppsContext } from '../../apps-context.ts';
import { confirmDeleted } from './confirm-deleted.ts';
import { createApp } from './create-app.ts';
import { findApps } from './find-apps.ts';
import { getApp } from './get-app.ts';
import { listApps } from './list-apps.ts';
import { rotateAppKey } from './rotate-app-key.ts';
import { rotateSigningSecret } from './rotate-signing-secret.ts';
import { updateApp } from './update-app.ts';

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
