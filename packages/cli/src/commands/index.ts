import type { Command } from '../command.ts';
import { appCreate } from './app-create.ts';
import { appList } from './app-list.ts';
import { deliveryDestinations } from './delivery/delivery-destinations.ts';
import { deliveryFailed } from './delivery/delivery-failed.ts';
import { deliveryList } from './delivery/delivery-list.ts';
import { deliveryReplay } from './delivery/delivery-replay.ts';
import { deliveryResume } from './delivery/delivery-resume.ts';
import { deliveryShow } from './delivery/delivery-show.ts';
import { keyList } from './key/key-list.ts';
import { keyRecover } from './key/key-recover.ts';
import { keyReseal } from './key/key-reseal.ts';
import { keyRevoke } from './key/key-revoke.ts';
import { keyRotate } from './key/key-rotate.ts';
import { recordVerify } from './record-verify.ts';

/** Everything that the tool can do, in the order in which it is listed. */
export const commands: readonly Command[] = [
  appCreate,
  appList,
  deliveryDestinations,
  deliveryList,
  deliveryFailed,
  deliveryShow,
  deliveryResume,
  deliveryReplay,
  keyList,
  keyRotate,
  keyRevoke,
  keyRecover,
  keyReseal,
  recordVerify,
];

/** The meaning of the first words. */
export const groups: Readonly<Record<string, string>> = {
  app: "Apps, which hold people's accounts and act for them",
  delivery: 'What the home sends to apps, AIs and people, and where it fails',
  key: 'The keys by which the home signs, its recovery key, and the change of its seal key',
  record: 'Records that homes signed, such as the answers to asks',
};
