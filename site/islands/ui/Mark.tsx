/** The logo on its background, above the form of a login. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" width="48" height="48" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#0d5b45" />
    <path d="M8 10h16M16 10v7a6 6 0 0 0 6 6" fill="none" stroke="#fff" strokeWidth="3.6" strokeLinecap="round" />
    <circle cx="23.4" cy="23" r="2.7" fill="#8de7bd" />
  </svg>
);
