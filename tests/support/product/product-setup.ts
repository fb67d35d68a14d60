import type { TestProject } from 'vitest/node';
import { type Product, startProduct } from './product-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    product: Product;
  }
}

/** The whole product for a run of journeys; the test command hands in one that runs already. */
export default async function setup(project: TestProject) {
  const running = process.env.TILLWAY_TEST_PRODUCT;
  if (running) {
    project.provide('product', JSON.parse(running) as Product);
    return;
  }
  const { stop, ...product } = await startProduct();
  project.provide('product', product);
  return async () => {
    await stop();
  };
}
