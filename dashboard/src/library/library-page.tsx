export default function LibraryPage() {
  return null;
}
