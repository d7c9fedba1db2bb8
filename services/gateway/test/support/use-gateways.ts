import { afterEach } from '@jest/globals';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './test-gateway.ts';

/** Starts gateways that end with their test. */
export function useGateways(): (options?: TestGatewayOptions) => Promise<TestGateway> {
  const running: TestGateway[] = [];
  afterEach(async () => {
    for (const home of running.splice(0)) await home.stop();
  });
  return async (options) => {
    const home = await startTestGateway(options);
    running.push(home);
    return home;
  };
}
