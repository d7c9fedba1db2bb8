import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Server } from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';

/** Lets grpcurl and the like discover what a service answers. It shows declarations, never data. */
export function addReflection(server: Server): void {
  const descriptors = readFileSync(fileURLToPath(import.meta.resolve('@hearth/proto/descriptors')));
  new ReflectionService(loadFileDescriptorSetFromBuffer(descriptors)).addToServer(server);
}
