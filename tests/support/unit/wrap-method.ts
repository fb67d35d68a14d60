type Method = (this: object, ...values: never[]) => unknown;
type Made = (call: () => unknown, self: object, values: unknown[]) => unknown;

/** Replace a method of a prototype; `made` gets the original call, its object and its values. */
export function wrapMethod(target: object, name: string, made: Made): void {
  const original = Reflect.get(target, name) as Method;
  Reflect.set(target, name, function (this: object, ...values: never[]) {
    return made(() => Reflect.apply(original, this, values), this, values);
  });
}
