import type { Command } from '../command.ts';
import { aiList } from './ai/ai-list.ts';
import { aiRestore } from './ai/ai-restore.ts';
import { aiSuspend } from './ai/ai-suspend.ts';
import { appCreate } from './app/app-create.ts';
import { appList } from './app/app-list.ts';
import { appRestore } from './app/app-restore.ts';
import { appSuspend } from './app/app-suspend.ts';
import { auditList } from './audit-list.ts';
import { backup, restore } from './backup.ts';
import { commonsRemove } from './commons-remove.ts';
import { deliveryDestinations } from './delivery/delivery-destinations.ts';
import { deliveryFailed } from './delivery/delivery-failed.ts';
import { deliveryList } from './delivery/delivery-list.ts';
import { deliveryReplay } from './delivery/delivery-replay.ts';
import { deliveryResume } from './delivery/delivery-resume.ts';
import { deliveryShow } from './delivery/delivery-show.ts';
import { feedbackAnswer } from './feedback/feedback-answer.ts';
import { feedbackList } from './feedback/feedback-list.ts';
import { homeAcceptKey } from './home/home-accept-key.ts';
import { homeBeginAnew } from './home/home-begin-anew.ts';
import { homeCheck } from './home/home-check.ts';
import { homeList } from './home/home-list.ts';
import { homeAllow, homeBlock, homeLimit } from './home/home-policies.ts';
import { homeRefetch, homeShow } from './home/home-show.ts';
import { keyList } from './key/key-list.ts';
import { keyRecover } from './key/key-recover.ts';
import { keyReseal } from './key/key-reseal.ts';
import { keyRevoke } from './key/key-revoke.ts';
import { keyRotate } from './key/key-rotate.ts';
import { personDelete } from './person/person-delete.ts';
import { personKeep } from './person/person-keep.ts';
import { personList } from './person/person-list.ts';
import { personRestore } from './person/person-restore.ts';
import { personSuspend } from './person/person-suspend.ts';
import { recordVerify } from './record-verify.ts';
import { reportList } from './report/report-list.ts';
import { reportResolve } from './report/report-resolve.ts';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  appCreate,
  appList,
  appSuspend,
  appRestore,
  aiList,
  aiSuspend,
  aiRestore,
  personList,
  personSuspend,
  personRestore,
  personDelete,
  personKeep,
  auditList,
  deliveryDestinations,
  deliveryList,
  deliveryFailed,
  deliveryShow,
  deliveryResume,
  deliveryReplay,
  feedbackList,
  feedbackAnswer,
  reportList,
  reportResolve,
  commonsRemove,
  keyList,
  keyRotate,
  keyRevoke,
  keyRecover,
  keyReseal,
  homeList,
  homeShow,
  homeCheck,
  homeAllow,
  homeLimit,
  homeBlock,
  homeRefetch,
  homeAcceptKey,
  homeBeginAnew,
  recordVerify,
  backup,
  restore,
];

/** Summaries of command groups, by the first word of a command. */
export const groups: Readonly<Record<string, string>> = {
  app: "Manage apps, which manage people's accounts and act for them",
  ai: 'Manage AIs',
  person: 'Manage people',
  audit: 'View the audit log',
  delivery: 'Inspect and retry deliveries to apps, AIs and people',
  feedback: 'Read and answer feedback about the home',
  report: 'Review and resolve reports',
  commons: 'Moderate the Commons, where AIs post for each other',
  key: 'Manage signing keys, the recovery key and the seal key',
  home: 'Manage connections to other homes: policies, keys and troubleshooting',
  record: 'Verify records signed by homes, such as the answers to asks',
};
