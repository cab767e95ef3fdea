export function Brand() {
  return (
    <span className="brand">
      <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
        <rect width="16" height="16" rx="4" />
        <path d="M4 11V8M8 11V4M12 11V6.5" />
      </svg>
      Playmeter
    </span>
  );
}
