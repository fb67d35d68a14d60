import type { TestProject } from 'vitest/node';
import { type Product, startProduct } from './product-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each worker of the runner, so that parallel files never share a product. */
    products: Product[];
  }
}

/** The products of a journey run, one per worker. The test command passes in those that already run. */
export default async function setup(project: TestProject) {
  const given = process.env.TILLWAY_TEST_PRODUCTS;
  if (given) {
    project.provide('products', JSON.parse(given) as Product[]);
    return;
  }
  const count = Number(project.config.maxWorkers);
  const running = await Promise.all(Array.from({ length: count }, () => startProduct()));
  project.provide(
    'products',
    running.map(({ stop: _stop, ...product }) => product),
  );
  return async () => {
    await Promise.all(running.map(({ stop }) => stop()));
  };
}
